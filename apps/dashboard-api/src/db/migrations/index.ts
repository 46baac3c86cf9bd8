import { messagingMigrations } from '@pay/messaging';
import type { Migration } from '@pay/persistence';
import { createDirectory } from './20261121100000-create-directory';
import { manageFromTheDashboard } from './20261121130000-manage-from-the-dashboard';

/** In order of application; applied ones are frozen. */
export const migrations: Migration[] = [...messagingMigrations, createDirectory, manageFromTheDashboard];
