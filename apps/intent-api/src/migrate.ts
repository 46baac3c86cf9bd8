import { migrateAndExit } from '@pay/persistence';
import { migrations } from './db/migrations';

void migrateAndExit('intent-api', migrations, process.env);
