import { parkedCli } from '@pay/messaging';
import { endWith } from './end-with';

/**
 * For operators: `node tools/parked.mjs list reconciler.events`, `… replay reconciler.events [id ...]`, `… discard
 * reconciler.events <id ...>`.
 */
void endWith(() => parkedCli(process.argv.slice(2), process.env, (text) => process.stdout.write(text)));
