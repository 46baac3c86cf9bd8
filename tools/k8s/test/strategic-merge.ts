/** Key fields of the lists that patches of deploy/k8s extend. Other lists are replaced. */
const MERGE_KEYS: Readonly<Record<string, string>> = {
  containers: 'name',
  initContainers: 'name',
  volumes: 'name',
  env: 'name',
  ports: 'containerPort',
  volumeMounts: 'mountPath',
  topologySpreadConstraints: 'topologyKey',
};

/** Objects are merged, null removes a field, lists with a key are merged by entry, and new entries come first. */
export function merge(base: any, patch: any, field = ''): any {
  if (Array.isArray(patch)) return Array.isArray(base) ? mergeLists(base, patch, MERGE_KEYS[field]) : patch;
  if (!isObject(patch) || !isObject(base)) return patch;
  const merged = { ...base };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else merged[key] = merge(base[key], value, key);
  }
  return merged;
}

function mergeLists(base: any[], patch: any[], key: string | undefined): any[] {
  if (key === undefined) return patch;
  const changed = base.map((entry) => {
    const change = patch.find((each) => each[key] === entry[key]);
    return change === undefined ? entry : merge(entry, change);
  });
  return [...patch.filter((entry) => !base.some((each) => each[key] === entry[key])), ...changed];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
