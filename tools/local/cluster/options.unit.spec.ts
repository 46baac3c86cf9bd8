import { join } from 'node:path';
import { ROOT } from '../arguments';
import { parseClusterOptions } from './options';
import { ROW_NAMES } from './rows';

describe('the options of npm run cluster', () => {
  it('default to 100 payments per second and every row but the upgrade, which needs a release before', () => {
    const options = parseClusterOptions([]);

    expect(options.rate).toBe(100);
    expect(options.rows).toEqual(ROW_NAMES.filter((name) => name !== 'upgrade'));
    expect(options.runDir).toBe(join(ROOT, '.run', 'cluster'));
  });

  it('play the upgrade first when a commit is given', () => {
    expect(parseClusterOptions(['--from', 'abc']).rows).toEqual(ROW_NAMES);
    expect(ROW_NAMES[0]).toBe('upgrade');
  });

  it('play the named rows in the order of the table, whatever the order of the names', () => {
    expect(parseClusterOptions(['--rows', 'audit,kill,restart']).rows).toEqual(['restart', 'kill', 'audit']);
  });

  it('play no row when none is asked for', () => {
    expect(parseClusterOptions(['--rows', 'none', '--from', 'abc']).rows).toEqual([]);
  });

  it('refuse a row that does not exist, and list those that do', () => {
    expect(() => parseClusterOptions(['--rows', 'restart,explode'])).toThrow(/does not know explode.*never-ready/);
  });

  it('refuse the upgrade without a release before', () => {
    expect(() => parseClusterOptions(['--rows', 'upgrade'])).toThrow('--from COMMIT');
  });

  it('accept the upgrade in a continued run, whose installation is the release before', () => {
    expect(parseClusterOptions(['--continue', '--rows', 'upgrade'])).toMatchObject({
      isContinued: true,
      rows: ['upgrade'],
    });
  });

  it('refuse to continue and to install in one run', () => {
    expect(() => parseClusterOptions(['--continue', '--from', 'abc'])).toThrow('use one of them');
  });

  it.each(['0', '-1', 'many', '10001', ''])('refuse the rate %j', (rate) => {
    expect(() => parseClusterOptions([`--rate=${rate}`])).toThrow('--rate must be a number from 1 to 10000');
  });

  it('refuse unknown options, and print the known ones', () => {
    expect(() => parseClusterOptions(['--rats', '5'])).toThrow(/--rats[\s\S]*--rate NUMBER/);
  });

  it('read a folder relative to the current one', () => {
    expect(parseClusterOptions(['--run-dir', 'mine'], '/elsewhere').runDir).toBe('/elsewhere/mine');
  });
});
