import { migrateAndExit } from '@pay/persistence';
import { migrations } from './db/migrations';

void migrateAndExit('reconciler', migrations, process.env);
