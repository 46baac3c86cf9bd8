export {
  openDirectory,
  type Directory,
  type DirectoryDeps,
  type DeviceHook,
  type OnChange,
  type TenantCopy,
} from './directory';
export { findLastSeen, storeLastSeen } from './devices-last-seen';
export type { StoredFact } from './stored-fact';
export { directoryMigrations } from './migrations';
export {
  CREDENTIAL_PREFIXES,
  isWellFormedCredential,
  newCredential,
  randomBase62,
  type CredentialPrefix,
} from './credential';
export { deviceOfHook, newHookId } from './hook-id';
export { chosenTenants, tenantOptions } from './chosen-tenants';
export { storedDirectory } from './stored-directory';
