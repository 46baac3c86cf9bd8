import { ServiceCallFailed } from '@pay/http';
import { createLogger } from '@pay/runtime';
import { ownerLookUp } from './owner-look-up';

const log = createLogger({ service: 'test', level: 'silent' });

function heldOwner() {
  const answers: { resolve: (value: unknown) => void; reject: (error: Error) => void }[] = [];
  const paths: string[] = [];
  const client = {
    request: <T>(_method: string, path: string) =>
      new Promise<T>((resolve, reject) => {
        paths.push(path);
        answers.push({ resolve: resolve as (value: unknown) => void, reject });
      }),
  };
  return { client, answers, paths };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('ownerLookUp', () => {
  it('has at most 8 look-ups in progress and 64 waiting; further credentials are unknown immediately', async () => {
    const { client, answers } = heldOwner();
    const owner = ownerLookUp({ client, log, clock: () => 0 });

    let settled = 0;
    const all = Array.from({ length: 100 }, (_, index) =>
      owner.find('api_key', `${index}`).finally(() => (settled += 1)),
    );
    await turn();
    expect(answers).toHaveLength(8);
    expect(settled).toBe(100 - 8 - 64);

    for (let index = 0; index < 72; index += 1) {
      answers[index]?.resolve({ apiKey: null });
      await turn();
      expect(answers.length - index - 1).toBeLessThanOrEqual(8);
    }
    await Promise.all(all);
    expect(answers).toHaveLength(72);
  });

  it('sends no request for a second after a failure, including waiting ones, and then continues', async () => {
    const time = { now: 0 };
    const { client, answers } = heldOwner();
    const owner = ownerLookUp({ client, log, clock: () => time.now });
    const all = Array.from({ length: 20 }, (_, index) => owner.find('device', `${index}`));

    for (const answer of answers.splice(0)) answer.reject(new Error('connection refused'));

    await expect(Promise.all(all)).resolves.toEqual(Array.from({ length: 20 }, () => undefined));
    expect(answers).toHaveLength(0);
    time.now = 999;
    await expect(owner.find('device', 'soon')).resolves.toBeUndefined();
    expect(answers).toHaveLength(0);
    time.now = 1_000;
    void owner.find('device', 'later');
    expect(answers).toHaveLength(1);
  });

  it('continues after a request that the owner refuses, because its sender could otherwise block look-ups of all others', async () => {
    const { client, answers } = heldOwner();
    const owner = ownerLookUp({ client, log, clock: () => 0 });
    const strange = owner.findDeviceById('not an id');
    answers.splice(0)[0]?.reject(new ServiceCallFailed('rejected', 'dashboard-api', 'no such', 400));
    await expect(strange).resolves.toBeUndefined();

    void owner.find('device', 'next');
    expect(answers).toHaveLength(1);
  });

  it('sends at most 100 requests per second, and continues in the next second', async () => {
    const time = { now: 0 };
    let asked = 0;
    const client = {
      request: <T>() => {
        asked += 1;
        return Promise.resolve({ apiKey: null } as T);
      },
    };
    const owner = ownerLookUp({ client, log, clock: () => time.now });

    for (let index = 0; index < 500; index += 1) await owner.find('api_key', `${index}`);
    time.now = 999;
    await owner.find('api_key', 'late');
    expect(asked).toBe(100);
    time.now = 1_000;
    await owner.find('api_key', 'next');
    expect(asked).toBe(101);
  });

  it('uses the path of each kind', () => {
    const { client, paths } = heldOwner();
    const owner = ownerLookUp({ client, log, clock: () => 0 });

    void owner.find('api_key', 'aa');
    void owner.find('device', 'bb');

    expect(paths).toEqual(['/internal/v1/api-keys/aa', '/internal/v1/devices/bb']);
  });
});
