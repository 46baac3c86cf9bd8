import { setImmediate as nextTurn } from 'node:timers/promises';
import { turnByTurn } from './turn-by-turn';

describe('lines of one turn', () => {
  const written: string[][] = [];
  let gathered: string[] = [];
  const output = {
    write: (line: string) => void gathered.push(line),
    flush: () => {
      written.push(gathered);
      gathered = [];
    },
  };
  const before = process.listeners('exit');

  afterAll(() => {
    for (const listener of process.listeners('exit')) if (!before.includes(listener)) process.off('exit', listener);
  });

  it('are written together, and those of the next turn separately', async () => {
    const lines = turnByTurn(output);

    lines.write('one');
    await Promise.resolve();
    lines.write('two');
    await nextTurn();
    lines.write('three');
    await nextTurn();

    expect(written).toEqual([['one', 'two'], ['three']]);
  });

  it('are written when the process ends within the turn', () => {
    const [exit] = process.listeners('exit').filter((listener) => !before.includes(listener));
    written.length = 0;

    turnByTurn(output).write('last words');
    exit?.call(process, 0);

    expect(written).toEqual([['last words']]);
  });
});
