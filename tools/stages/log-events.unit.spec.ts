import { allLogged } from './log-events.mjs';

describe('allLogged', () => {
  const catalogue = ['sms.received', 'sms.sealed', 'sms.missing'];
  const options = { catalogue, specs: `expect(line).toBe('sms.sealed')`, notProvoked: ['sms.missing'] };

  it('passes when specs have logged every event, name it, or cannot provoke it', () => {
    expect(allLogged(new Set(['sms.received']), options)).toEqual({
      passed: 1,
      failed: 0,
      notes: ['2 of 3 log events were seen'],
    });
  });

  it('names an exception that was logged after all', () => {
    const { failed, notes } = allLogged(new Set(['sms.received', 'sms.missing']), options);

    expect(failed).toBe(0);
    expect(notes).toEqual([
      '3 of 3 log events were seen',
      'not-provoked.mjs names events that were seen; remove those that occur in every run: sms.missing',
    ]);
  });

  it.each([
    ['an event that no spec makes the code log', [], {}, 'no spec makes the code log sms.received'],
    [
      'an exception that is not in the catalogue',
      ['sms.received'],
      { notProvoked: ['sms.missing', 'sms.lost'] },
      'not-provoked.mjs names sms.lost, which is not in the catalogue',
    ],
    [
      'an exception that a spec provokes',
      ['sms.received'],
      { notProvoked: ['sms.missing', 'sms.sealed'] },
      'not-provoked.mjs names sms.sealed, which a spec provokes',
    ],
  ])('fails with %s', (_case, logged, changed, problem) => {
    const { failed, notes } = allLogged(new Set(logged), { ...options, ...changed });

    expect(failed).toBe(1);
    expect(notes.slice(1)).toEqual([`FAILED: ${problem}`]);
  });
});
