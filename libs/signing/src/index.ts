export * from './mac';
export * from './webhooks';
