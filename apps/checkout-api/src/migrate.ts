import { migrateAndExit } from '@pay/persistence';
import { migrations } from './db/migrations';

void migrateAndExit('checkout-api', migrations, process.env);
