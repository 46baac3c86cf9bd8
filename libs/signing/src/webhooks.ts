export * from './headers';
export * from './signature';
export * from './verify-webhook';
