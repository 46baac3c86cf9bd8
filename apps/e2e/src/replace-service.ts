import { holdDown } from './hold-down';
import { runningSettings, startService, type OwnService, type Settings } from './own-service';

export interface ReplacedService extends OwnService {
  /** Until then, the address of a stopped service does not respond. */
  readonly putBack: () => Promise<void>;
}

/** Replaces the running process of a service by one with the same program and environment and additional settings. */
export async function replaceService(
  runDirectory: string,
  service: string,
  settings: Settings,
): Promise<ReplacedService> {
  const restart = await holdDown(runDirectory, service);
  try {
    const own = await startService(service, { ...runningSettings(runDirectory, service), ...settings });
    return {
      ...own,
      putBack: async () => {
        await own.stop();
        await restart();
      },
    };
  } catch (error) {
    await restart();
    throw error;
  }
}
