import { replayCli } from '@pay/messaging';
import { endWith } from './end-with';

/**
 * For operators: `node tools/replay.mjs request sms-ingest --since=2026-11-22T10:00:00Z --wait`, `node tools/replay.mjs
 * status`.
 */
void endWith(() => replayCli(process.argv.slice(2), process.env, (text) => process.stdout.write(text)));
