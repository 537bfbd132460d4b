#!/usr/bin/env bash
#SBATCH --job-name=hexproof
#SBATCH --cpus-per-task=1
#SBATCH --requeue
# One shard of a Slurm array over a folder that every node sees:
#
#   hexproof obligations kernel.py schedule.py --out /shared/proofs
#   sbatch --wait --array=1-64 slurm.sh /shared/proofs
#   hexproof merge /shared/proofs
#
# A task that was killed or requeued is run again, or its array again: what is answered is not asked again.
set -euo pipefail
[ $# -eq 1 ] || { echo "usage: sbatch --array=1-N slurm.sh DIR" >&2; exit 1; }
exec hexproof discharge --quiet --jobs "${SLURM_CPUS_PER_TASK:-1}" --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" "$1"
