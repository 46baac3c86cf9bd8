export { openDirectory, type Directory, type DirectoryDeps, type OnChange, type Standing } from './directory';
export type { StoredFact } from './stored-fact';
export { directoryMigrations } from './migrations';
export { CREDENTIAL_PREFIXES, isWellFormedCredential, newCredential, type CredentialPrefix } from './credential';
export { FreshCache, type FreshCacheOptions } from './fresh-cache';
