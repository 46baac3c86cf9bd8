import { migrateAndExit } from '@pay/persistence';
import { migrations } from './db/migrations';

void migrateAndExit('sms-ingest', migrations, process.env);
