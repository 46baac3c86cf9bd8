import { parkedCli, replayCli } from './index';

type Environment = Readonly<Record<string, string>>;

async function printed(cli: typeof parkedCli, words: readonly string[], environment: Environment) {
  let text = '';
  const code = await cli(words, environment, (part) => (text += part));
  return { code, text };
}

describe('the commands of operators', () => {
  it.each<[string, typeof parkedCli, string[], Environment, string]>([
    ['parked without a command', parkedCli, [], {}, '"" is not a command: use one of list, replay, discard.'],
    ['parked without a queue', parkedCli, ['list'], {}, 'Name a queue.'],
    ['parked discard without ids', parkedCli, ['discard', 'reconciler.events'], {}, 'Name the ids of the messages'],
    ['parked list of ids', parkedCli, ['list', 'reconciler.events', 'an-id'], {}, '"an-id" is not an option of list.'],
    [
      'parked replay --all',
      parkedCli,
      ['replay', 'reconciler.events', '--all'],
      {},
      '"--all" is not an option of replay.',
    ],
    ['parked without a broker', parkedCli, ['list', 'reconciler.events'], {}, 'Set AMQP_URL.'],
    [
      'replay of an unknown command',
      replayCli,
      ['begin'],
      {},
      '"begin" is not a command: use one of request, status, stop.',
    ],
    ['replay without a service', replayCli, ['request'], {}, 'Name the service'],
    ['replay without a time', replayCli, ['request', 'sms-ingest'], {}, '--since is required.'],
    ['replay since a wrong time', replayCli, ['request', 'sms-ingest', '--since=noon'], {}, '--since=noon is not'],
    ['replay stop without a queue', replayCli, ['stop'], {}, '--queue is required.'],
    ['replay without a database', replayCli, ['status'], {}, 'Set DATABASE_URL.'],
  ])('refuse %s with the problem, all forms and an example', async (_name, cli, words, environment, problem) => {
    const { code, text } = await printed(cli, words, environment);

    expect(code).toBe(2);
    expect(text.split('\n')[0]).toContain(problem);
    expect(text).toMatch(/^example: +.*node tools\/(?:parked|replay)\.mjs /m);
  });
});
