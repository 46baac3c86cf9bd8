import { SERVICES, type ServiceName } from '@pay/contracts';
import { bundle, runBundle } from './run-bundle';
import { machineEnvironment } from './service-environment';

/** Concurrent, because the services share no schema. */
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
