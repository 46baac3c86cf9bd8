export function runningSpecs(file: string): string[];
export function sinceProgress(file: string, now?: number): number;
