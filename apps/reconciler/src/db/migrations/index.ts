import { directoryMigrations } from '@pay/directory';
import { messagingMigrations } from '@pay/messaging';
import type { Migration } from '@pay/persistence';
import { createDecisions } from './20261121110000-create-decisions';

export const migrations: Migration[] = [...messagingMigrations, ...directoryMigrations, createDecisions];
