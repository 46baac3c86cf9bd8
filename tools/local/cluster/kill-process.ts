import { resultOf } from '@pay/local-servers';
import { kubectl, kubectlJson, NAMESPACE } from './kubectl';
import { until } from './pods';

const EXIT_CODE = 137;

interface Containers {
  readonly status: {
    readonly containerStatuses: readonly {
      readonly state: { readonly terminated?: { readonly exitCode: number } };
      readonly lastState: { readonly terminated?: { readonly exitCode: number } };
    }[];
  };
}

/**
 * Kubernetes sends SIGTERM first, and no signal from inside the container kills the first process. So the debugger of
 * the process sends SIGKILL, and then the pod is deleted.
 */
export async function killPod(pod: string): Promise<void> {
  const { stderr } = await resultOf('kubectl', ['-n', NAMESPACE, 'exec', pod, '--', 'node', '-e', SCRIPT]);
  const isKilled = async () => {
    const { status } = await kubectlJson<Containers>(['-n', NAMESPACE, 'get', 'pod', pod]);
    const [container] = status.containerStatuses;
    return [container?.state, container?.lastState].some((state) => state?.terminated?.exitCode === EXIT_CODE);
  };
  await until(isKilled, `the process of ${pod} ends. ${stderr.trim()}`, 30_000);
  await kubectl(['-n', NAMESPACE, 'delete', 'pod', pod, '--grace-period=0', '--force', '--wait=false']);
}

/** Runs in the container. Detaches the debugger before the process ends, because the process would wait for it. */
const SCRIPT = `
const address = 'http://127.0.0.1:9229/json/list';
const attempt = async (left) => {
  const [target] = await fetch(address).then((answer) => answer.json()).catch(() => []);
  if (target === undefined && left === 0) throw new Error('no debugger answers');
  if (target === undefined) return setTimeout(attempt, 100, left - 1);
  const debug = new WebSocket(target.webSocketDebuggerUrl);
  const expression = 'setTimeout(() => process.reallyExit(${EXIT_CODE}), 500)';
  debug.onopen = () => debug.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression } }));
  debug.onmessage = () => debug.close();
};
process.kill(1, 'SIGUSR1');
attempt(50);
`;
