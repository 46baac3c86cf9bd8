import type { DataServiceDeps } from '@pay/data-service';
import type { ServiceSettings } from '@pay/runtime';
import type { IntentApiConfig } from './config';

/** Resources that main.ts opens. Use cases select the ones that they need. */
export type ServiceDeps = DataServiceDeps<ServiceSettings<IntentApiConfig>>;
