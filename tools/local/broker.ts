import { brokerCli } from '@pay/messaging';
import { endWith } from './end-with';

/** Command for operators. Without arguments it prints its usage. */
void endWith(() => brokerCli(process.argv.slice(2), process.env, (text) => process.stdout.write(text)));
