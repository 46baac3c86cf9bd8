import { spawn } from 'node:child_process';

export const NAMESPACE = 'payment-gateway';

/** Uses the cluster of KUBECONFIG. Returns the output, or throws the end of it if kubectl fails. */
export function kubectl(args: readonly string[], input?: string): Promise<string> {
  return run('kubectl', args, input);
}

export async function kubectlJson<Answer>(args: readonly string[]): Promise<Answer> {
  return JSON.parse(await kubectl([...args, '-o', 'json'])) as Answer;
}

/** Runs any program, with the same result as `kubectl`. */
export async function run(program: string, args: readonly string[], input?: string): Promise<string> {
  const { code, stdout, stderr } = await ended(program, args, { input });
  if (code === 0) return stdout;
  const lastWords = `${stdout}${stderr}`.trimEnd().split('\n').slice(-12).join('\n');
  throw new Error(`${program} ${args.slice(0, 6).join(' ')} ended with code ${code}:\n${lastWords}`);
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Resolves with any exit code. `onText` receives the output as it arrives. */
export async function ended(
  program: string,
  args: readonly string[],
  { input, onText }: { readonly input?: string | undefined; readonly onText?: (text: string) => void } = {},
): Promise<Ended> {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    onText?.(text);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    onText?.(text);
  });
  child.stdin.on('error', () => undefined).end(input);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { code, stdout, stderr };
}
