import { migrateAndExit } from '@pay/persistence';
import { migrations } from './db/migrations';

void migrateAndExit('dashboard-api', migrations, process.env);
