import { outputOf } from '@pay/local-servers';

export const NAMESPACE = 'payment-gateway';

/** Uses the cluster of KUBECONFIG. Returns the output, or throws the end of it if kubectl fails. */
export function kubectl(args: readonly string[], input?: string): Promise<string> {
  return outputOf('kubectl', args, { input });
}

export async function kubectlJson<Answer>(args: readonly string[]): Promise<Answer> {
  return JSON.parse(await kubectl([...args, '-o', 'json'])) as Answer;
}
