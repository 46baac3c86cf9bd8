/**
 * Nx calls `several` with all tasks of a stage that have no cached result. It caches the results of successful tasks.
 */
async function several({ tasks }, options, _overrides, { projectsConfigurations: { projects } }) {
  const { runStage } = await import('./run-stage.mjs');
  const named = Object.values(tasks).map(({ id, target: { project } }) => ({
    id,
    stage: options[id].stage,
    root: projects[project].root,
  }));
  const succeeded = await runStage(named);
  return Object.fromEntries(named.map(({ id }) => [id, { success: succeeded.has(id), terminalOutput: '' }]));
}

async function one({ stage }, { projectName, projectsConfigurations: { projects } }) {
  const { runStage } = await import('./run-stage.mjs');
  return { success: (await runStage([{ id: projectName, stage, root: projects[projectName].root }])).has(projectName) };
}

module.exports = { one, several };
