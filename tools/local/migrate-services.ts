import { SERVICES, type ServiceName } from '@pay/contracts';
import { bundle, runBundle } from './run-bundle';
import { machineEnvironment } from './service-environment';

/** Migrates the schemas of all services concurrently, because they share nothing. */
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
