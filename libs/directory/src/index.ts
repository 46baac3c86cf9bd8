export { openDirectory, type Directory, type DirectoryDeps } from './directory';
export { directoryMigrations } from './migrations';
export { CREDENTIAL_PREFIXES, isWellFormedCredential, newCredential, type CredentialPrefix } from './credential';
export { FreshCache, type FreshCacheOptions } from './fresh-cache';
