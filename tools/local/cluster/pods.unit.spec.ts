import { countRefusals } from './drain';
import { lastLine } from './images';
import { mebibytes, podOf, readyTimes, type PodObject } from './pods';

const POD: PodObject = {
  metadata: { name: 'intent-api-1', labels: { 'app.kubernetes.io/name': 'intent-api' } },
  status: {
    phase: 'Running',
    podIP: '10.244.0.9',
    conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-11-23T06:00:12Z' }],
    containerStatuses: [{ restartCount: 1, state: { running: { startedAt: '2026-11-23T06:00:03Z' } } }],
  },
};

describe('reading pods', () => {
  it('returns the name, readiness and time from start to readiness', () => {
    expect(podOf(POD)).toEqual({
      name: 'intent-api-1',
      app: 'intent-api',
      address: '10.244.0.9',
      phase: 'Running',
      isReady: true,
      isEnding: false,
      restarts: 1,
      readyAfterSeconds: 9,
    });
    expect(readyTimes([podOf(POD)])).toEqual({ 'intent-api': 9 });
  });

  it('returns no time of a pod that is not ready', () => {
    const conditions = [{ type: 'Ready', status: 'False', lastTransitionTime: '2026-11-23T06:00:12Z' }];
    const pod = podOf({ ...POD, status: { ...POD.status, conditions } });

    expect(pod).toMatchObject({ isReady: false, readyAfterSeconds: undefined });
    expect(readyTimes([pod])).toEqual({});
  });

  it('reads a pod that has only been scheduled, and one that is ending', () => {
    const metadata = { ...POD.metadata, deletionTimestamp: '2026-11-23T06:01:00Z' };

    expect(podOf({ metadata, status: { phase: 'Pending' } })).toMatchObject({
      isReady: false,
      isEnding: true,
      phase: 'Pending',
      restarts: 0,
    });
  });

  it.each([
    ['92160Ki', 90],
    ['90Mi', 90],
    ['2Gi', 2_048],
    ['94371840', 90],
  ])('reads %s as %d MiB', (quantity, expected) => {
    expect(mebibytes(quantity)).toBe(expected);
  });

  it('refuses a quantity that is no memory', () => {
    expect(() => mebibytes('250m')).toThrow('250m is not a quantity of memory');
  });
});

describe('reading what programs print', () => {
  it('counts the evictions that disruption budgets refuse', () => {
    const line = (pod: string) =>
      `error when evicting pods/"${pod}" -n "payment-gateway" (will retry after 5s): Cannot evict pod as it would violate the pod's disruption budget.\n`;

    expect(countRefusals('')).toBe(0);
    expect(countRefusals(`evicting pod a\n${line('a')}${line('b')}pod/a evicted\n`)).toBe(2);
  });

  it('takes the name of an image from the last line of a build', () => {
    expect(lastLine('Step 1/9\n ---> Using cache\npayment-gateway:0123456789ab\n')).toBe(
      'payment-gateway:0123456789ab',
    );
  });
});
