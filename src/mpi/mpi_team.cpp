// The ranks of mpirun as a Team; a module of its own, see sweep/team.hpp. One thread of a process calls it.
#include <mpi.h>

#include <algorithm>
#include <list>

#include "sweep/team.hpp"

namespace carom {
namespace {

class MpiTeam : public Team {
 public:
  MpiTeam() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  ~MpiTeam() override {
    for (Sent& sent : sent_) MPI_Wait(&sent.request, MPI_STATUS_IGNORE);
    MPI_Finalize();
  }
  int rank() const override { return rank_; }
  int size() const override { return size_; }

  void send(int to, const std::string& bytes) override {
    forget_sent();
    Sent& sent = sent_.emplace_back();
    sent.bytes = bytes;
    MPI_Isend(sent.bytes.data(), static_cast<int>(sent.bytes.size()), MPI_BYTE, to, 0, MPI_COMM_WORLD,
              &sent.request);
  }

  std::optional<Message> receive() override {
    int there = 0, count = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, &status);
    if (!there) return std::nullopt;
    MPI_Get_count(&status, MPI_BYTE, &count);
    Message message{status.MPI_SOURCE, std::string(static_cast<std::size_t>(count), '\0')};
    MPI_Recv(message.bytes.data(), count, MPI_BYTE, message.from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return message;
  }

 private:
  struct Sent {  // its bytes stay until they are on their way
    std::string bytes;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  void forget_sent() {
    std::erase_if(sent_, [](Sent& sent) {
      int done = 0;
      MPI_Test(&sent.request, &done, MPI_STATUS_IGNORE);
      return done != 0;
    });
  }

  int rank_ = 0, size_ = 1;
  std::list<Sent> sent_;
};

}  // namespace
}  // namespace carom

extern "C" carom::Team* carom_make_team() { return new carom::MpiTeam; }
