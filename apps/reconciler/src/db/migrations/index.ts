import { directoryMigrations } from '@pay/directory';
import { messagingMigrations } from '@pay/messaging';
import type { Migration } from '@pay/persistence';
import { createDecisions } from './20261121110000-create-decisions';
import { countWhatChanged } from './20261121160000-let-the-database-count-what-changed';
import { noteSwitchOffs } from './20261121160001-note-what-was-switched-off';
import { keepDoubts } from './20261121200000-keep-what-evidence-is-doubted-for';

export const migrations: Migration[] = [
  ...messagingMigrations,
  ...directoryMigrations,
  createDecisions,
  countWhatChanged,
  noteSwitchOffs,
  keepDoubts,
];
