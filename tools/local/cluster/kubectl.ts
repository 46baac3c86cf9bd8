import { spawn } from 'node:child_process';

export const NAMESPACE = 'payment-gateway';

/** Runs kubectl on the cluster of KUBECONFIG and returns what it printed; throws its last words when it fails. */
export function kubectl(args: readonly string[], input?: string): Promise<string> {
  return run('kubectl', args, input);
}

/** The same for any program. */
export async function run(program: string, args: readonly string[], input?: string): Promise<string> {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdin.on('error', () => undefined).end(input);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code === 0) return stdout;
  const lastWords = `${stdout}${stderr}`.trimEnd().split('\n').slice(-12).join('\n');
  throw new Error(`${program} ${args.slice(0, 6).join(' ')} ended with code ${code}:\n${lastWords}`);
}
