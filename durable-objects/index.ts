export { Benchmark } from './benchmark.ts';
export { Directory } from './directory.ts';
export { ExplorationRun } from './exploration-run.ts';
export { Workspace } from './workspace.ts';
export { EvaluationRun } from './evaluation-run.ts';
