import { runningSettings, startReplica, type Settings } from './own-service';

const SERVICE = 'checkout-api';

export interface OwnCheckout {
  readonly baseUrl: string;
  stop(): Promise<unknown>;
}

/**
 * Another replica of the running checkout-api with separate settings, such as low limits or no intent-api, which do not
 * affect other tests.
 */
export async function ownCheckout(runDirectory: string, settings: Settings): Promise<OwnCheckout> {
  const { port, stop } = await startReplica(SERVICE, { ...runningSettings(runDirectory, SERVICE), ...settings });
  return { baseUrl: `http://127.0.0.1:${port}`, stop };
}
