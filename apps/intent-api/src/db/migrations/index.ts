import { directoryMigrations } from '@pay/directory';
import { messagingMigrations } from '@pay/messaging';
import type { Migration } from '@pay/persistence';
import { createPaymentIntents } from './20261121100000-create-payment-intents';

export const migrations: Migration[] = [...messagingMigrations, ...directoryMigrations, createPaymentIntents];
