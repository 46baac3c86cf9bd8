import { internalEndpointsSchema } from '@pay/contracts';
import type { RateLimits } from '@pay/rate-limits';
import { createSecretBox, type Logger, type Worker } from '@pay/runtime';
import type { RequestHandler } from 'express';
import type { ManageDeps } from '../changes/on-behalf-of';
import type { Peers } from '../clients/service-clients';
import type { DashboardApiConfig } from '../config';
import { merchants, receiverAccounts } from '../db/tables';
import type { CurrentSession } from '../sign-in/current-session';
import { limitSandbox, type SandboxLimitValues } from './limit-sandbox';
import type { SandboxDeps } from './mount-sandbox';
import { createPlayerDeps } from './test-cases/create-player-deps';
import { runPlayer } from './test-cases/play-runs';
import type { SandboxConfiguration } from './test-cases/player-deps';
import { publicApi } from './test-cases/public-api';
import { openRunStreams } from './test-cases/run-streams';
import { testApiKey } from './test-cases/test-api-key';
import { testEndpointProvider } from './test-endpoints/provide-test-endpoint';

export interface SandboxParts extends ManageDeps {
  readonly clients: Peers;
  readonly log: Logger;
  readonly rateLimits: RateLimits;
  readonly limitSession: RequestHandler;
  readonly currentSession: CurrentSession;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

export type SandboxSettings = Pick<
  DashboardApiConfig,
  | 'PUBLIC_API_URL'
  | 'PUBLIC_INTENT_API_URL'
  | 'PUBLIC_CHECKOUT_API_URL'
  | 'PUBLIC_WEBHOOK_API_URL'
  | 'TOTP_ENCRYPTION_KEYS'
> &
  SandboxLimitValues;

/** Composes simulator, test cases, hosted test endpoints and test clock. Opens nothing itself. */
export function createSandbox(
  parts: SandboxParts,
  settings: SandboxSettings,
): {
  readonly deps: Omit<SandboxDeps, 'session'>;
  readonly workers: Readonly<Record<'testRuns' | 'runStreams', Worker>>;
} {
  const { db, messaging, clients, log, rateLimits, limitSession, currentSession, clock, now, newId } = parts;
  const { smsIngest, reconciler, intentApi, webhookDispatcher, shops } = clients;
  const apiUrl = settings.PUBLIC_API_URL;
  const testSecrets = createSecretBox(settings.TOTP_ENCRYPTION_KEYS, 'test_endpoint');
  const keys = { db, messaging, now, newId, testKeys: createSecretBox(settings.TOTP_ENCRYPTION_KEYS, 'test_api_key') };
  const endpointsOf = async (merchantId: string) => {
    const tenant = { merchantId, environment: 'SANDBOX' } as const;
    const request = { schema: internalEndpointsSchema, tenant };
    return (await webhookDispatcher.request('GET', '/internal/v1/sandbox/endpoints', request)).endpoints;
  };
  const testEndpointOf = testEndpointProvider({
    db,
    testSecrets,
    apiUrl,
    endpointsOf,
    webhooks: publicApi(settings.PUBLIC_WEBHOOK_API_URL ?? apiUrl),
    apiKeyOf: (merchantId) => testApiKey(keys, merchantId),
  });
  const player = runPlayer({
    db,
    log,
    owner: newId(),
    configurationOf: (merchantId) => configurationOf(db, merchantId),
    player: createPlayerDeps({
      ...keys,
      smsIngest,
      reconciler,
      intentApi,
      webhookDispatcher,
      shops,
      endpointsOf,
      testEndpointOf,
      publicUrls: {
        intents: settings.PUBLIC_INTENT_API_URL ?? apiUrl,
        checkout: settings.PUBLIC_CHECKOUT_API_URL ?? apiUrl,
      },
    }),
  });
  const runStreams = openRunStreams({ db, currentSession, log, clock });
  return {
    deps: {
      limits: limitSandbox(rateLimits, settings, { limitSession, clock }),
      db,
      now,
      newId,
      log,
      smsIngest,
      reconciler,
      intentApi,
      webhookDispatcher,
      poke: () => player.poke(),
      runStreams,
      testEndpointOf,
      testSecrets,
      apiUrl,
    },
    workers: { testRuns: player.worker(), runStreams: runStreams.worker },
  };
}

async function configurationOf(db: SandboxParts['db'], merchantId: string): Promise<SandboxConfiguration> {
  const [merchant, accounts] = await Promise.all([
    merchants.find(db, merchantId),
    receiverAccounts.listBy(db, 'activeInSandbox', [merchantId]),
  ]);
  return {
    enabledMethods: merchant?.enabledMethods ?? [],
    receivers: accounts.map(({ paymentMethod, msisdn }) => ({ paymentMethod, msisdn })),
  };
}
