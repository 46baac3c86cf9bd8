export function labelLine(label: string, line: string): string;
