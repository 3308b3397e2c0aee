"""Parts of the execution environment: settings, dependencies and job submission."""
