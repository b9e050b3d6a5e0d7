export { Attempt } from './attempt.ts';
export { Benchmark } from './benchmark.ts';
export { Directory } from './directory.ts';
export { EvaluationRun } from './evaluation-run.ts';
export { ExplorationRun } from './exploration-run.ts';
export { KnowledgeIndex } from './knowledge-index.ts';
export { Recording } from './recording.ts';
export { Workspace } from './workspace.ts';
