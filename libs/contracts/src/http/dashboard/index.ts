export * from './api-keys';
export * from './audit-log';
export * from './devices';
export * from './merchant';
export * from './people';
export * from './receiver-accounts';
