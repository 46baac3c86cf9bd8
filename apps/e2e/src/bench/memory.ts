/** Resident memory, from the metrics of the service. */
export async function megabytesOf(privateUrl: string): Promise<number> {
  const text = await (await fetch(`${privateUrl}/metrics`)).text();
  const bytes = /^process_resident_memory_bytes(?:\{[^}]*\})? (\S+)$/m.exec(text)?.[1];
  if (bytes === undefined) throw new Error('the memory metric is missing');
  return Number(bytes) / 1024 / 1024;
}
