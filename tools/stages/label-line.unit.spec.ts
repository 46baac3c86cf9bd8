import { labelLine } from './label-line.mjs';

describe('the label of a line of output', () => {
  it.each([
    ['unit', 'PASS unit tools/readme.unit.spec.ts', 'unit        | PASS unit tools/readme.unit.spec.ts'],
    ['integration', '', 'integration | '],
    ['unit', '    > 12 |   expect(1).toBe(2);', 'unit        |     > 12 |   expect(1).toBe(2);'],
    ['unit', 'a | b', 'unit        | a | b'],
  ])('%s names the process that printed %j', (label, line, shown) => {
    expect(labelLine(label, line)).toBe(shown);
  });

  it('is printed once for a process that Nx runs within another one', () => {
    const line = labelLine('system', 'reconciler is back after 1.0 s');

    expect(labelLine('e2e', line)).toBe(line);
    expect(labelLine('e2e', labelLine('e2e', ''))).toBe('e2e         | ');
  });
});
