export const PROGRAM = 'node dist/apps/sms-ingest/cli.js';
