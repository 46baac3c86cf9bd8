import { kubectlJson } from './kubectl';

interface Node {
  readonly status: {
    readonly addresses: readonly { readonly type: string; readonly address: string }[];
    readonly capacity: { readonly cpu: string };
    readonly nodeInfo: { readonly kubeletVersion: string };
  };
}

async function readNodes(): Promise<Node[]> {
  return (await kubectlJson<{ items: Node[] }>(['get', 'nodes'])).items;
}

export async function nodeAddress(): Promise<string> {
  const [node] = await readNodes();
  const address = node?.status.addresses.find(({ type }) => type === 'InternalIP')?.address;
  if (address === undefined) throw new Error('The cluster has no node with an address.');
  return address;
}

export async function machineOf(): Promise<string> {
  const nodes = await readNodes();
  const processors = nodes.reduce((sum, { status }) => sum + Number(status.capacity.cpu), 0);
  return `Kubernetes ${nodes[0]?.status.nodeInfo.kubeletVersion ?? ''}, ${nodes.length} nodes, ${processors} processors`;
}
