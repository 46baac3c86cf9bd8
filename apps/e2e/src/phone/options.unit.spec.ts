import { readOptions, USAGE } from './options';

describe('the options of the simulated phone', () => {
  it.each([
    ['texts', '19', '20 to 100000'],
    ['lost', '1.5', '0 to 1'],
    ['resent', '-1', '0 to 1'],
    ['forged', '1001', '0 to 1000'],
    ['seed', '4294967296', '0 to 4294967295'],
    ['speed', '0', '0.001 to 1000000'],
  ])('--%s outside its range is refused with the range that the help states', (name, value, range) => {
    const [least, most] = range.split(' to ');

    expect(() => readOptions([`--${name}=${value}`])).toThrow(`number from ${least} to ${most}`);
    expect(USAGE).toMatch(new RegExp(`--${name} .*, ${range.replace('.', '\\.')}[ ;]`));
  });
});
