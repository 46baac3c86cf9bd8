import { commonConfig, secret } from '@pay/runtime';
import { z } from 'zod';

const sharedWith = (peer: string) => secret().describe(`Secret shared with ${peer} alone`);

/** The environment of dashboard-api. */
export const dashboardApiConfig = z.object({
  ...commonConfig,
  PEER_SECRET_INTENT_API: sharedWith('intent-api'),
  PEER_SECRET_SMS_INGEST: sharedWith('sms-ingest'),
  PEER_SECRET_WEBHOOK_DISPATCHER: sharedWith('webhook-dispatcher'),
  SESSION_SECRET: secret().describe('Signs the access tokens of people at the dashboard'),
});
export type DashboardApiConfig = z.infer<typeof dashboardApiConfig>;
