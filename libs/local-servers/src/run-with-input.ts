import { execFile } from 'node:child_process';

/** Runs a program with input on stdin, so that secrets stay out of command lines and files. Rejects with its output. */
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
