/** What people do at `/v1/dashboard`, in chapters. */
export * from './merchant';
export * from './number-proofs';
export * from './people';
export * from './api-keys';
export * from './receiver-accounts';
export * from './devices';
export * from './forwarder-hooks';
export * from './missing-sms';
export * from './daily-close';
export * from './payments';
export * from './webhooks';
export * from './statistics';
export * from './changes';
export * from './evidence-file';
export * from './reparse';
export * from './exceptions';
export * from './audit-log';
