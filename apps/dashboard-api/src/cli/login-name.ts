import { userInfo } from 'node:os';

/** Who runs the command, for the audit log. A container may run under a user id that has no name. */
export function loginName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
