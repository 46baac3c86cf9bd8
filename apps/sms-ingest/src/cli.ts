import { runCommand } from '@pay/runtime';
import { listReported } from './cli/list-reported';
import { reparseCommand } from './cli/reparse-options';
import { reportedCommand } from './cli/report-options';
import { runReparse } from './cli/run-reparse';

void (process.argv[2] === reportedCommand.name
  ? runCommand(reportedCommand, (options) => listReported(process.env, options))
  : runCommand(reparseCommand, (options) => runReparse(process.env, options)));
