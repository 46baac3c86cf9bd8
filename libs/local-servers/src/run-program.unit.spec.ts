import { outputOf, resultOf } from './run-program';

const node = (script: string) => ['-e', script] as const;

describe('a program that is run to its end', () => {
  it('returns the output and any exit code', async () => {
    const script = "process.stdin.pipe(process.stdout); console.error('a problem'); process.exitCode = 3;";
    const texts: string[] = [];

    const result = await resultOf(process.execPath, node(script), { input: 'মূল্য', onText: (text) => texts.push(text) });

    expect(result).toEqual({ code: 3, stdout: 'মূল্য', stderr: 'a problem\n' });
    expect(texts.toSorted()).toEqual(['a problem\n', 'মূল্য']);
  });

  it('fails with its title and its last lines when the exit code is not 0', async () => {
    const script = 'for (let line = 1; line <= 20; line += 1) console.log(line); process.exitCode = 1;';
    const lines = Array.from({ length: 12 }, (_, index) => index + 9).join('\n');

    await expect(outputOf(process.execPath, node(script), { title: 'count' })).rejects.toThrow(
      new Error(`count ended with code 1:\n${lines}`),
    );
  });

  it('fails when the program does not exist', async () => {
    await expect(outputOf('/no/such/program', [])).rejects.toThrow('ENOENT');
  });
});
