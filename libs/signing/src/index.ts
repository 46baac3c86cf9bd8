export * from './headers';
export * from './mac';
export * from './signature';
export * from './verify-webhook';
