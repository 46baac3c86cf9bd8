import { SERVICES, type ServiceName } from '@pay/contracts';
import { bundle, runBundle } from './run-bundle';
import { machineEnvironment } from './service-environment';

/** Brings every service's schema up to date, all at once: they share nothing. */
export async function migrateServices(
  urls: Readonly<Record<ServiceName, string>>,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  await Promise.all(
    SERVICES.map((service) =>
      runBundle(bundle(service, 'migrate'), [], { ...machineEnvironment(env), DATABASE_URL: urls[service] }),
    ),
  );
}
