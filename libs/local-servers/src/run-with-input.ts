import { execFile } from 'node:child_process';

/**
 * Runs a program that reads its input from us; secrets stay out of command lines and files. Rejects with what it has
 * said.
 */
export async function runWithInput(
  program: string,
  args: readonly string[],
  input: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const child = execFile(program, [...args], { env }, (error, stdout, stderr) => {
      if (error === null) resolve();
      else reject(new Error(`${program} ${args.join(' ')} failed: ${stderr || stdout || error.message}`));
    });
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}
