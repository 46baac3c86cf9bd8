import { directoryMigrations } from '@pay/directory';
import { messagingMigrations } from '@pay/messaging';
import type { Migration } from '@pay/persistence';
import { createDecisions } from './20261121110000-create-decisions';
import { countWhatChanged } from './20261121160000-let-the-database-count-what-changed';
import { noteSwitchOffs } from './20261121160001-note-what-was-switched-off';

export const migrations: Migration[] = [
  ...messagingMigrations,
  ...directoryMigrations,
  createDecisions,
  countWhatChanged,
  noteSwitchOffs,
];
